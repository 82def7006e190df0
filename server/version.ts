// The version of this service, as its package names it.

import { readFileSync } from 'node:fs';

// From the sources the manifest is one folder up, from the build two.
const manifest = ['../package.json', '../../package.json']
  .map((path) => new URL(path, import.meta.url))
  .map((url) => {
    try {
      return JSON.parse(readFileSync(url, 'utf8')) as { name: string; version: string };
    } catch {
      return undefined;
    }
  })
  .find((candidate) => candidate?.name === 'bounty-settlement-service');

/** Semantic version, e.g. `1.2.3`. */
export const SERVICE_VERSION = manifest?.version ?? 'unknown';
