// Copies what the server reads beside its code and the compiler leaves behind (SQL migrations, Markdown, JSON, page
// assets) into the build: `node server/copyAssets.mjs <target>`.

import { cpSync, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const SOURCE = fileURLToPath(new URL('./', import.meta.url));
const CODE = /\.(ts|mjs)$/;
const LOCAL = `${SOURCE}local`;

const target = process.argv[2];
if (target === undefined) throw new Error('Name the folder of the built server.');
cpSync(SOURCE, target, {
  recursive: true,
  filter: (path) => !path.startsWith(LOCAL) && (statSync(path).isDirectory() || !CODE.test(path)),
});
