// Path and query parameters: what each may look like, how it becomes a value, what is said when it is not one.

import type { Address, Hex } from 'viem';
import { parseAddress } from '../protocol/accountAddress.ts';

/** One declared parameter. */
export interface Parameter<Value> {
  readonly description: string;
  readonly schema: object;
  readonly required: boolean;
  /** The value; undefined when the text is not one. `text` is undefined only where the parameter is optional. */
  parse(text: string | undefined): Value | undefined;
  /** What a right value looks like, said after "must be". */
  readonly form: string;
}

const UINT256_MAX = 2n ** 256n - 1n;

const needed = <Value>(
  description: string,
  form: string,
  schema: object,
  parse: (text: string) => Value | undefined,
): Parameter<Value> => ({
  description,
  form,
  schema,
  required: true,
  parse: (text) => (text === undefined ? undefined : parse(text)),
});

/** The same parameter where it may be left out. */
export function optional<Value>(parameter: Parameter<Value>): Parameter<{ value: Value | undefined }> {
  return {
    ...parameter,
    required: false,
    parse(text) {
      if (text === undefined) return { value: undefined };
      const value = parameter.parse(text);
      return value === undefined ? undefined : { value };
    },
  };
}

/** A bounty id: decimal without leading zeros, below 2^256. */
export function bountyId(description = 'The bounty id, decimal.'): Parameter<string> {
  return needed(
    description,
    'a bounty id: a decimal integer without leading zeros, below 2^256',
    { type: 'string', pattern: '^(0|[1-9][0-9]{0,77})$' },
    (text) => (/^(0|[1-9][0-9]{0,77})$/.test(text) && BigInt(text) <= UINT256_MAX ? text : undefined),
  );
}

/** An address in lower, upper or valid EIP-55 case; the value is lower-case. */
export function address(description: string): Parameter<Address> {
  return needed(
    description,
    'a 20-byte hex address in lower case, upper case or with a valid EIP-55 checksum',
    { type: 'string', pattern: '^0x[0-9a-fA-F]{40}$' },
    parseAddress,
  );
}

/** 32 bytes in hex of any case; the value is lower-case. */
export function bytes32(description: string): Parameter<Hex> {
  return needed(
    description,
    '32 bytes in hex with 0x',
    { type: 'string', pattern: '^0x[0-9a-fA-F]{64}$' },
    (text) => (/^0x[0-9a-fA-F]{64}$/.test(text) ? (text.toLowerCase() as Hex) : undefined),
  );
}

/** One word of a fixed list. */
export function word<const Words extends readonly string[]>(
  description: string,
  words: Words,
): Parameter<Words[number]> {
  return needed(description, `one of ${words.join(', ')}`, { type: 'string', enum: words }, (text) =>
    words.includes(text) ? text : undefined,
  );
}

/** An integer within bounds. */
export function integer(description: string, minimum: number, maximum: number): Parameter<number> {
  return needed(
    description,
    `an integer from ${minimum} to ${maximum}`,
    { type: 'integer', minimum, maximum },
    (text) => {
      if (!/^(0|[1-9][0-9]{0,8})$/.test(text)) return undefined;
      const value = Number(text);
      return value >= minimum && value <= maximum ? value : undefined;
    },
  );
}

/** A text of bounded length that fits a pattern. */
export function text(
  description: string,
  form: string,
  pattern: string,
  maxLength: number,
): Parameter<string> {
  const shape = new RegExp(pattern, 'u');
  return needed(description, form, { type: 'string', pattern, maxLength }, (value) =>
    value.length <= maxLength && shape.test(value) ? value : undefined,
  );
}
