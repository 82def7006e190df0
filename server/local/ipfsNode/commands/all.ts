// The table of contents: every command that the node answers, by its path under /api/v0/.

import type { Commands } from '../command.ts';
import { addCommands } from './add.ts';
import { blockCommands } from './block.ts';
import { catCommands } from './cat.ts';
import { filesCommands } from './files.ts';
import { filesReadCommands } from './filesRead.ts';
import { identityCommands } from './identity.ts';
import { pinCommands } from './pin.ts';
import { repoCommands } from './repo.ts';

/** All commands. */
export const ALL_COMMANDS: Commands = {
  ...identityCommands,
  ...addCommands,
  ...catCommands,
  ...blockCommands,
  ...pinCommands,
  ...filesCommands,
  ...filesReadCommands,
  ...repoCommands,
};
