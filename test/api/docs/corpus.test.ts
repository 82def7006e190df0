// The pages say what the code does: links lead somewhere, every route, error, variable and limit is there, and examples are
// what they claim to be.

import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import ts from 'typescript';
import { corpusOf } from '../../../server/api/docs/corpus.ts';
import { READING_ORDER } from '../../../server/api/docs/readingOrder.ts';
import { ROUTES } from '../../../server/api/routes.ts';
import { parseChallenge } from '../../../server/protocol/challenge.ts';
import { ERRORS } from '../../../server/protocol/errors.ts';
import { LIMITS } from '../../../server/protocol/limits.ts';
import { parseWrittenVerdict } from '../../../server/protocol/writtenVerdict.ts';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const CORPUS = join(ROOT, 'server/api/docs/corpus');
const FENCE = /^```(?<language>\w+) (?<kind>\w+)=(?<name>\w+)\n(?<code>[\s\S]*?)^```$/gm;

describe('the corpus', () => {
  const pages = corpusOf(ROUTES);
  const pageOf = (name: string): string => pages.find((page) => page.name === name)!.markdown;
  const blocks = pages.flatMap(({ markdown }) => [...markdown.matchAll(FENCE)].map(({ groups }) => groups!));
  const block = (kind: string, name: string): string =>
    blocks.find((one) => one.kind === kind && one.name === name)!.code!;

  it('holds every file of its folder, each once, each with one title', () => {
    const files = readdirSync(CORPUS).map((file) => file.replace(/\.md$/, ''));
    expect(READING_ORDER).to.include.members(files);
    expect(new Set(READING_ORDER).size).to.equal(READING_ORDER.length);
    for (const { name, markdown } of pages) {
      const prose = markdown.replaceAll(/^```[\s\S]*?^```$/gm, '');
      expect(prose.match(/^# /gm), name).to.have.length(1);
    }
  });

  it('has no link that leads nowhere', () => {
    for (const { name, markdown } of pages)
      for (const [, target] of markdown.matchAll(/\]\(([^)]+)\)/g))
        expect(READING_ORDER, `${name} -> ${target}`).to.include(target!.replace(/\.md$/, ''));
  });

  it('documents every route, every error and every limit', () => {
    for (const { method, route } of ROUTES)
      expect(pageOf('endpoints')).to.include(`### ${method} ${route}\n`);
    for (const [code, { status, nextAction }] of Object.entries(ERRORS))
      expect(pageOf('errors')).to.include(`## ${code}\n\n${status}. `).and.to.include(nextAction);
    for (const limit of Object.values(LIMITS))
      expect(pageOf('limits')).to.match(new RegExp(`\\b${limit}\\b`));
  });

  it('documents every variable of the configuration and none that does not exist', () => {
    const read = readFileSync(join(ROOT, 'server/config.ts'), 'utf8');
    const variables = [...read.matchAll(/'([A-Z][A-Z0-9_]{3,})'/g)].map(([, name]) => name!);
    const named = [...pageOf('operator').matchAll(/`([A-Z][A-Z0-9_]{3,})`/g)].map(([, name]) => name!);
    expect(new Set(named.filter((name) => !name.startsWith('GRAPH_')))).to.deep.equal(new Set(variables));
  });

  it('documents every command of the CLI', () => {
    const table = readFileSync(join(ROOT, 'server/cli/program.ts'), 'utf8');
    const files = [...table.matchAll(/from '\.\/commands\/(\w+)\.ts'/g)].map(([, name]) => name!);
    expect(files).to.have.length.greaterThan(10);
    for (const file of files) {
      const command = file.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
      expect(pageOf('cli')).to.match(new RegExp(`\`${command}[ \`]`));
    }
  });

  it('shows documents that the service takes', () => {
    const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
    expect(parseChallenge(bytes(block('check', 'challenge')))).to.have.property('challenge');
    expect(parseWrittenVerdict(bytes(block('check', 'verdict')))).to.have.property('verdict');
  });

  it('signs by hand what it says that it signs', function () {
    this.timeout(20_000);
    const folder = mkdtempSync(join(ROOT, 'test/.example-'));
    try {
      const file = join(folder, 'approval.ts');
      writeFileSync(file, block('run', 'approval'));
      const { stdout, stderr } = spawnSync(process.execPath, ['--import', 'tsx', file], {
        cwd: ROOT,
        encoding: 'utf8',
      });
      expect(stdout, stderr).to.equal(block('output', 'approval'));
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('shows TypeScript that compiles against the package', function () {
    this.timeout(60_000);
    const file = join(ROOT, 'test/api/docs/sdkExample.ts');
    const host = ts.createCompilerHost({});
    const { getSourceFile, fileExists, readFile } = host;
    const code = block('check', 'types');
    host.fileExists = (path) => path === file || fileExists(path);
    host.readFile = (path) => (path === file ? code : readFile(path));
    host.getSourceFile = (path, ...more) =>
      path === file ? ts.createSourceFile(path, code, ts.ScriptTarget.ES2022) : getSourceFile(path, ...more);
    const options: ts.CompilerOptions = {
      ...ts.parseJsonConfigFileContent(
        ts.readConfigFile(join(ROOT, 'tsconfig.json'), readFile).config,
        ts.sys,
        ROOT,
      ).options,
      noEmit: true,
      // The package as its exports name it, before it is built.
      baseUrl: ROOT,
      paths: {
        'bounty-settlement-service/sdk/*': ['server/sdk/*.ts'],
        'bounty-settlement-service/protocol/*': ['server/protocol/*.ts'],
      },
    };
    const found = ts.getPreEmitDiagnostics(ts.createProgram([file], options, host));
    expect(found.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'))).to.deep.equal(
      [],
    );
  });
});
