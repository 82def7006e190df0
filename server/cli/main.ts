#!/usr/bin/env node
// service-cli: the process around the program.

import { run } from './program.ts';
import { processTerminal } from './terminal.ts';

process.exitCode = await run(process.argv.slice(2), processTerminal());
