// The shapes of answers, written once: the type that callers see and the check that the bytes pass. Unknown keys are
// dropped, so that a newer server can say more; what is missing or of another kind makes the answer malformed.

import type { Address, Hex } from 'viem';
import { parseAddress } from '../../protocol/accountAddress.ts';
import { isUint256 } from '../../protocol/shapeCheck.ts';

/** Reads a value of one shape. @throws ShapeError naming the path */
export type Shape<T> = (value: unknown, path: string) => T;

/** What a shape reads. */
export type Read<S> = S extends Shape<infer T> ? T : never;

/** A value that is not of the shape that it should be. */
export class ShapeError extends TypeError {}

function leaf<T>(expected: string, holds: (value: unknown) => boolean): Shape<T> {
  return (value, path) => {
    if (holds(value)) return value as T;
    throw new ShapeError(`${path || 'The answer'} must be ${expected}.`);
  };
}

const matching = <T extends string>(expected: string, pattern: RegExp): Shape<T> =>
  leaf<T>(expected, (value) => typeof value === 'string' && pattern.test(value));

/** Any text. */
export const text = leaf<string>('text', (value) => typeof value === 'string');

/** True or false. */
export const flag = leaf<boolean>('true or false', (value) => typeof value === 'boolean');

/** A whole number that JavaScript holds exactly, from 0. */
export const whole = leaf<number>(
  'a whole number',
  (value) => Number.isSafeInteger(value) && (value as number) >= 0,
);

/** A uint256 in decimal digits. */
export const digits = leaf<string>(
  'a uint256 in decimal digits',
  (value) => typeof value === 'string' && isUint256(value),
);

/** An account. */
export const account = leaf<Address>(
  'an address',
  (value) => typeof value === 'string' && parseAddress(value) !== undefined,
);

/** 32 bytes in lower-case hex with 0x. */
export const hash32 = matching<Hex>('32 bytes in lower-case hex', /^0x[0-9a-f]{64}$/);

/** Whole bytes in lower-case hex with 0x. */
export const hexBytes = matching<Hex>('bytes in lower-case hex', /^0x(?:[0-9a-f]{2})*$/);

/** An http(s) URL. */
export const httpUrl = leaf<string>('an http URL', (value) => {
  if (typeof value !== 'string' || !URL.canParse(value)) return false;
  return ['http:', 'https:'].includes(new URL(value).protocol);
});

/** Exactly one of these values. */
export function one<const T extends readonly (string | number | boolean)[]>(...values: T): Shape<T[number]> {
  const expected = values.map((value) => JSON.stringify(value)).join(' or ');
  return leaf<T[number]>(expected, (value) => values.includes(value as T[number]));
}

/** A value or null. */
export function nullable<T>(shape: Shape<T>): Shape<T | null> {
  return (value, path) => (value === null ? null : shape(value, path));
}

/** A list of one shape. */
export function list<T>(shape: Shape<T>): Shape<readonly T[]> {
  return (value, path) => {
    if (!Array.isArray(value)) throw new ShapeError(`${path || 'The answer'} must be a list.`);
    return value.map((item, index) => shape(item, `${path}/${index}`));
  };
}

/** An object with texts as its values. */
export const texts: Shape<Readonly<Record<string, string>>> = (value, path) =>
  Object.fromEntries(
    Object.entries(object(value, path)).map(([key, item]) => [key, text(item, `${path}/${key}`)]),
  );

type Fields = Readonly<Record<string, Shape<unknown>>>;
type Required<F extends Fields> = { readonly [K in keyof F]: Read<F[K]> };
type Optional<F extends Fields> = { readonly [K in keyof F]?: Read<F[K]> };

/** An object with these keys; the second group may be absent. */
export function record<F extends Fields, O extends Fields = Record<never, never>>(
  required: F,
  optional: O = {} as O,
): Shape<Required<F> & Optional<O>> {
  return (value, path) => {
    const given = object(value, path);
    const read = ([key, shape]: [string, Shape<unknown>]) => [key, shape(given[key], `${path}/${key}`)];
    return Object.fromEntries([
      ...Object.entries(required).map(read),
      ...Object.entries(optional)
        .filter(([key]) => given[key] !== undefined)
        .map(read),
    ]) as Required<F> & Optional<O>;
  };
}

function object(value: unknown, path: string): Record<string, unknown> {
  if (typeof value === 'object' && value !== null && !Array.isArray(value))
    return value as Record<string, unknown>;
  throw new ShapeError(`${path || 'The answer'} must be an object.`);
}
