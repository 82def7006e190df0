// Variables of an environment one by one: each in its form, or one line that names the variable and the form it needs,
// never the value it had. Secrets may also come as `<NAME>_FILE`.

import { readFileSync } from 'node:fs';

/** Variables by name. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** Thrown when the environment does not make a configuration; `faults` has one line per fault. */
export class ConfigError extends Error {
  readonly faults: readonly string[];

  constructor(faults: readonly string[]) {
    super(
      `The configuration has ${faults.length} fault(s):\n${faults.map((fault) => `  ${fault}`).join('\n')}`,
    );
    this.name = 'ConfigError';
    this.faults = faults;
  }
}

/** Reads variables and collects what is wrong with them. */
export class EnvironmentReader {
  readonly faults: string[] = [];
  private readonly environment: Environment;

  constructor(environment: Environment) {
    this.environment = environment;
  }

  /** A variable that may be absent or empty. */
  optional<T>(name: string, form: string, parse: (text: string) => T | undefined, fallback: T): T {
    const text = this.environment[name]?.trim();
    if (text === undefined || text === '') return fallback;
    const value = parse(text);
    if (value !== undefined) return value;
    this.faults.push(`${name} must be ${form}.`);
    return fallback;
  }

  /** A variable that must be there; `standIn` only keeps the types whole until the faults are told. */
  required<T>(name: string, form: string, parse: (text: string) => T | undefined, standIn: T): T {
    if (this.environment[name]?.trim()) return this.optional(name, form, parse, standIn);
    this.faults.push(`${name} is missing: it must be ${form}.`);
    return standIn;
  }

  /** A secret from `<name>` or from the file that `<name>_FILE` names. */
  secret<T>(
    name: string,
    form: string,
    parse: (text: string) => T | undefined,
    standIn: T,
    needed = true,
  ): T {
    const file = this.environment[`${name}_FILE`]?.trim();
    let text = this.environment[name]?.trim();
    if (text && file) this.faults.push(`${name} and ${name}_FILE are both set: keep one.`);
    if (!text && file) {
      try {
        text = readFileSync(file, 'utf8').trim();
      } catch {
        this.faults.push(`${name}_FILE names a file that cannot be read.`);
        return standIn;
      }
    }
    if (!text) {
      if (needed)
        this.faults.push(
          `${name} is missing: it must be ${form}, or ${name}_FILE the path of a file with it.`,
        );
      return standIn;
    }
    const value = parse(text);
    if (value !== undefined) return value;
    this.faults.push(`${name} must be ${form}.`);
    return standIn;
  }
}
