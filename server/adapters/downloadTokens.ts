// Short-lived download URLs: a locator and an expiry under an HMAC, bound to this deployment. Nothing is stored.

import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Address } from 'viem';
import { ServiceError } from '../protocol/errors.ts';

/** Makes and reads download tokens. */
export interface DownloadTokens {
  /** @param expiresAt Unix seconds */
  issue(locator: string, expiresAt: number): string;
  /** The locator of a valid token. @throws ServiceError 404 when it is none, 410 once expired */
  read(token: string, now: number): string;
}

const MAC_BYTES = 32;

/** @param key 32 secret bytes */
export function downloadTokens(
  key: Uint8Array,
  { chainId, hubAddress }: { readonly chainId: number; readonly hubAddress: Address },
): DownloadTokens {
  const macOf = (locator: string, expiresAt: number): Buffer =>
    createHmac('sha256', key)
      .update(JSON.stringify(['download/v1', chainId, hubAddress, locator, expiresAt]))
      .digest();
  return {
    issue(locator, expiresAt) {
      const claims = Buffer.from(JSON.stringify([locator, expiresAt])).toString('base64url');
      return `${claims}.${macOf(locator, expiresAt).toString('base64url')}`;
    },
    read(token, now) {
      const claims = parse(token);
      if (!claims || !timingSafeEqual(claims.mac, macOf(claims.locator, claims.expiresAt))) {
        throw new ServiceError('not_found', { message: 'This download URL is not one of this deployment.' });
      }
      if (now >= claims.expiresAt) throw new ServiceError('upload_url_expired');
      return claims.locator;
    },
  };
}

function parse(token: string): { locator: string; expiresAt: number; mac: Buffer } | undefined {
  const [claims = '', macText = '', ...rest] = token.split('.');
  const mac = Buffer.from(macText, 'base64url');
  if (rest.length > 0 || mac.length !== MAC_BYTES) return undefined;
  try {
    const [locator, expiresAt] = JSON.parse(Buffer.from(claims, 'base64url').toString('utf8')) as unknown[];
    return typeof locator === 'string' && typeof expiresAt === 'number'
      ? { locator, expiresAt, mac }
      : undefined;
  } catch {
    return undefined;
  }
}
