// The house rules, checked and not hoped: imports only go down, no slice touches a slice, no circle, one reader of the
// environment, Koa in two files, a protocol without I/O.

import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import ts from 'typescript';

const ROOT = fileURLToPath(new URL('../', import.meta.url));

interface Source {
  /** Path from the root, with `/`. */
  readonly path: string;
  readonly text: string;
  readonly packages: readonly string[];
  /** Imported files of this project, from the root. */
  readonly files: readonly string[];
}

const sources = readdirSync(join(ROOT, 'server'), { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
  .map((entry) => read(join(entry.parentPath, entry.name)));

function read(file: string): Source {
  const text = readFileSync(file, 'utf8');
  const names = ts.preProcessFile(text, true, true).importedFiles.map(({ fileName }) => fileName);
  return {
    path: relative(ROOT, file),
    text,
    packages: names.filter((name) => !name.startsWith('.')),
    files: names
      .filter((name) => name.startsWith('.'))
      .map((name) => relative(ROOT, resolve(dirname(file), name))),
  };
}

/** The storeys of the house: what each may import. Everything may import its own storey and `abis`. */
const MAY_IMPORT: Record<string, readonly string[]> = {
  protocol: [],
  config: ['protocol'],
  version: [],
  adapters: ['protocol', 'config'],
  auth: ['adapters', 'protocol'],
  http: ['auth', 'adapters', 'protocol'],
  api: ['http', 'auth', 'adapters', 'protocol', 'version'],
  app: ['api', 'http', 'auth', 'adapters', 'protocol'],
  main: ['app', 'http', 'auth', 'adapters', 'config'],
  sdk: ['protocol'],
  admin: ['sdk', 'adapters', 'protocol'],
  cli: ['admin', 'sdk', 'adapters', 'protocol', 'version'],
  local: ['cli', 'sdk', 'adapters', 'protocol', 'subgraph'],
};

function storey(path: string): string {
  const [top = '', second = ''] = path.split('/');
  if (top !== 'server') return top;
  return second.replace(/\.ts$/, '');
}

/** Lines of a source with comments and texts taken out, so that words in them do not count. */
function code({ path, text }: Source): string {
  const printer = ts.createPrinter({ removeComments: true });
  const parsed = ts.createSourceFile(path, text, ts.ScriptTarget.Latest);
  return printer.printFile(parsed).replace(/'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"/g, "''");
}

describe('the house', () => {
  it('has sources to look at', () => {
    expect(sources.length).to.be.greaterThan(30);
  });

  it('lets imports go down only', () => {
    const wrong = sources.flatMap(({ path, files }) =>
      files
        .map(storey)
        .filter((to) => to !== storey(path) && to !== 'abis')
        .filter((to) => !(MAY_IMPORT[storey(path)] ?? []).includes(to))
        .map((to) => `${path} imports ${to}`),
    );
    expect(wrong).to.deep.equal([]);
  });

  it('knows every storey', () => {
    const unknown = sources.map(({ path }) => storey(path)).filter((name) => !(name in MAY_IMPORT));
    expect([...new Set(unknown)]).to.deep.equal([]);
  });

  it('lets no slice of the API touch another', () => {
    const slice = (path: string): string | undefined => /^server\/api\/([^/]+)\//.exec(path)?.[1];
    const wrong = sources.flatMap(({ path, files }) =>
      files
        .filter((file) => slice(path) !== undefined && slice(file) !== slice(path) && storey(file) === 'api')
        .map((file) => `${path} imports ${file}`),
    );
    expect(wrong).to.deep.equal([]);
  });

  it('has no circle', () => {
    const edges = new Map(sources.map(({ path, files }) => [path, files]));
    const done = new Set<string>();
    const circles: string[] = [];
    const visit = (path: string, trail: readonly string[]): void => {
      if (trail.includes(path)) circles.push([...trail.slice(trail.indexOf(path)), path].join(' -> '));
      if (done.has(path) || trail.includes(path)) return;
      for (const next of edges.get(path) ?? []) visit(next, [...trail, path]);
      done.add(path);
    };
    for (const path of edges.keys()) visit(path, []);
    expect(circles).to.deep.equal([]);
  });

  it('reads the environment of the server in one file', () => {
    const readers = sources
      .filter(({ path }) => !path.startsWith('server/local/') && !path.startsWith('server/cli/'))
      .filter((source) => /\bprocess\s*\.\s*env\b/.test(code(source)));
    expect(readers.map(({ path }) => path)).to.deep.equal(['server/config.ts']);
  });

  it('reads the environment of the CLI in one file', () => {
    const readers = sources
      .filter(({ path }) => path.startsWith('server/cli/'))
      .filter((source) => /\bprocess\s*\.\s*env\b/.test(code(source)));
    expect(readers.map(({ path }) => path)).to.deep.equal(['server/cli/environment.ts']);
  });

  it('knows Koa in two files', () => {
    const users = sources.filter(({ packages }) => packages.some((name) => /^(koa|@koa\/.*)$/.test(name)));
    expect(users.map(({ path }) => path).sort()).to.deep.equal(['server/app.ts', 'server/http/pipeline.ts']);
  });

  it('keeps the protocol pure, and the SDK free of Node outside its own folder for it', () => {
    const pure = sources.filter(
      ({ path }) =>
        path.startsWith('server/protocol/') ||
        (path.startsWith('server/sdk/') && !path.startsWith('server/sdk/node/')),
    );
    const wrong = pure.flatMap((source) => {
      const words = code(source).match(/\b(Buffer|process\.|__dirname|require\()/g) ?? [];
      const modules = source.packages.filter((name) => name.startsWith('node:'));
      const impure = source.path.startsWith('server/protocol/')
        ? (code(source).match(/\b(Date\.now|Math\.random|fetch\(|setTimeout|new Date\(\))/g) ?? [])
        : [];
      return [...words, ...modules, ...impure].map((found) => `${source.path}: ${found}`);
    });
    expect(wrong).to.deep.equal([]);
  });

  it('opens every file with what it is', () => {
    const silent = sources.filter(({ text }) => !/^(#!.*\n)?\/(\/|\*\*)/.test(text)).map(({ path }) => path);
    expect(silent).to.deep.equal([]);
  });

  it('speaks only of itself: names no paper that does not lie in it', () => {
    const foreign = sources
      .filter(({ text }) => /\b(design|stack|cases|style)\.md\b/.test(text))
      .map(({ path }) => path);
    expect(foreign).to.deep.equal([]);
  });

  it('keeps files small', () => {
    const large = sources.filter(({ text }) => text.split('\n').length > 300).map(({ path }) => path);
    expect(large).to.deep.equal([]);
  });
});
