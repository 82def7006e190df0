// Who plays the demo, each at a terminal of their own: `service-cli` with their own key file, and what it printed.

import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { run } from '../cli/program.ts';
import type { LocalAccount, LocalGuardian } from './localAccounts.ts';
import type { StartReport } from './startReport.ts';
import { startJson } from './startReport.ts';

/** Somebody who types commands; the result of each is its line of JSON. @throws Error with what it said when it failed */
export interface DemoPerson extends LocalAccount {
  type(...command: string[]): Promise<DemoResult>;
}

/** What commands of the demo answer with, as far as it is looked at. */
export interface DemoResult {
  readonly bounty_id: string;
  readonly spec_commitment: string;
  readonly submission_commitment: `0x${string}`;
  readonly amount: string;
  readonly entries: number;
  readonly transactions?: readonly `0x${string}`[];
}

/** A Guardian, with the file of the key that Solvers encrypt to. */
export interface DemoGuardian extends DemoPerson, LocalGuardian {
  readonly encryptionKeyFile: string;
}

/** The people of the demo. */
export interface DemoPeople {
  readonly poster: DemoPerson;
  readonly solvers: readonly DemoPerson[];
  readonly guardians: readonly DemoGuardian[];
}

/**
 * Everybody, with their files in a folder.
 *
 * @param show Hears each command as it would be typed
 */
export async function demoPeople(
  report: StartReport,
  folder: string,
  show: (command: string) => void,
): Promise<DemoPeople> {
  const secret = async (name: string, text: string): Promise<string> => {
    const path = join(folder, name);
    await writeFile(path, `${text}\n`, { mode: 0o600 });
    return path;
  };
  const deployment = await secret('local.json', startJson(report));
  const person = async <T extends LocalAccount>(name: string, from: T): Promise<T & DemoPerson> => {
    const keyFile = await secret(`${name}.key`, from.private_key);
    const type = async (...command: string[]): Promise<DemoResult> => {
      show(`service-cli ${command.join(' ')} --key-file ${name}.key`.replaceAll(`${folder}/`, ''));
      let [out, log] = ['', ''];
      const args = [...command, '--deployment', deployment, '--key-file', keyFile, '--yes', '--json'];
      const code = await run(args, {
        out: (text) => {
          out += text;
        },
        log: (text) => {
          log += text;
        },
        isInteractive: false,
        environment: {},
        ask: async () => '',
      });
      if (code === 0) return JSON.parse(out) as DemoResult;
      throw new Error(`service-cli ${command[0]} ended with ${code}:\n${log}`);
    };
    return { ...from, type };
  };
  const { poster, solvers, guardians } = report.stack.accounts;
  return {
    poster: await person('poster', poster),
    solvers: await Promise.all(solvers.map((solver, index) => person(`solver-${index + 1}`, solver))),
    guardians: await Promise.all(
      guardians.map(async (guardian, index) => ({
        ...(await person(`guardian-${index + 1}`, guardian)),
        encryptionKeyFile: await secret(`guardian-${index + 1}.x25519`, guardian.encryption_private_key),
      })),
    ),
  };
}
