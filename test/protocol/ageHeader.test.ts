import { Encrypter, generateX25519Identity, identityToRecipient } from 'age-encryption';
import { expect } from 'chai';
import fc from 'fast-check';
import { ageHeaderIssues, parseAgeHeader } from '../../server/protocol/ageHeader.ts';
import { MAX_AGE_HEADER_BYTES } from '../../server/protocol/ageSize.ts';

const ascii = (text: string) => Uint8Array.from(text, (char) => char.charCodeAt(0));
const base64 = (length: number, byte = 9) =>
  Buffer.alloc(length, byte).toString('base64').replaceAll('=', '');
const KEY = base64(32);
const MAC = `--- ${KEY}\n`;
const header = (...stanzas: string[]) => ascii(`age-encryption.org/v1\n${stanzas.join('')}${MAC}payload`);
const X25519 = `-> X25519 ${KEY}\n${KEY}\n`;

async function encrypted(recipients: number): Promise<Uint8Array> {
  const encrypter = new Encrypter();
  for (let index = 0; index < recipients; index += 1) {
    encrypter.addRecipient(await identityToRecipient(await generateX25519Identity()));
  }
  return encrypter.encrypt(new Uint8Array(1000));
}

async function withPassphrase(): Promise<Uint8Array> {
  const encrypter = new Encrypter();
  encrypter.setPassphrase('secret');
  encrypter.setScryptWorkFactor(1);
  return encrypter.encrypt('x');
}

describe('parseAgeHeader', () => {
  it('reads what the age library writes', async () => {
    const parsed = parseAgeHeader(await encrypted(2));
    expect(parsed).to.have.property('stanzas').that.has.length(2);
    const { stanzas } = parsed as { stanzas: { type: string; args: string[]; body: Uint8Array }[] };
    for (const { type, args, body } of stanzas) {
      expect(type).to.equal('X25519');
      expect(args).to.have.length(1);
      expect(body).to.have.length(32);
    }
  });

  it('reads stanzas of every kind and length of body', () => {
    for (const length of [0, 1, 47, 48, 49, 96, 200]) {
      const text = base64(length);
      const lines = [...(text.match(/.{64}/g) ?? []), text.slice(64 * Math.floor(text.length / 64))];
      expect(parseAgeHeader(header(`-> a b c!\n${lines.join('\n')}\n`)), String(length)).to.deep.equal({
        stanzas: [{ type: 'a', args: ['b', 'c!'], body: new Uint8Array(length).fill(9) }],
      });
    }
    expect(parseAgeHeader(header())).to.deep.equal({ stanzas: [] });
  });

  it('needs no more than the header of a file', () => {
    const whole = header(X25519);
    expect(parseAgeHeader(whole.slice(0, whole.length - 'payload'.length))).to.have.property('stanzas');
  });

  const malformed: [why: string, file: Uint8Array, problem: string][] = [
    ['empty', ascii(''), 'binary age file'],
    ['no age file', ascii('hello\n'), 'binary age file'],
    ['armoured', ascii('-----BEGIN AGE ENCRYPTED FILE-----\n'), 'binary age file'],
    ['another version', ascii(`age-encryption.org/v2\n${X25519}${MAC}`), 'binary age file'],
    ['version without a line feed', ascii('age-encryption.org/v1'), 'binary age file'],
    ['CRLF', ascii(`age-encryption.org/v1\r\n${X25519}${MAC}`), 'binary age file'],
    ['no end', ascii(`age-encryption.org/v1\n${X25519}`), 'end within 4096'],
    ['unfinished MAC', ascii(`age-encryption.org/v1\n${X25519}${MAC.trim()}`), 'end within 4096'],
    ['short MAC', ascii(`age-encryption.org/v1\n${X25519}--- abc\n`), 'Line 4'],
    ['text between', header('hello\n'), 'Line 2'],
    ['stanza without words', header('-> \n\n'), 'Line 2'],
    ['two spaces', header('-> a  b\n\n'), 'Line 2'],
    ['space at the end', header('-> a \n\n'), 'Line 2'],
    ['byte above ASCII', header('-> \u00e9\n\n'), 'Line 2'],
    ['padded body', header('-> a\nAA==\n'), 'Line 2'],
    ['unused bits in the body', header('-> a\nAB\n'), 'Line 2'],
    ['line too long', header(`-> a\n${'A'.repeat(68)}\n`), 'Line 2'],
    ['full line as the last', ascii(`age-encryption.org/v1\n-> a\n${'A'.repeat(64)}\n`), 'Line 2'],
    ['body that is no base64', header('-> a\n!!\n'), 'Line 2'],
    ['second stanza', header(X25519, '->b\n\n'), 'Line 4'],
  ];
  for (const [why, file, problem] of malformed) {
    it(`refuses: ${why}`, () => {
      expect(parseAgeHeader(file)).to.have.property('problem').that.contains(problem);
    });
  }

  it('takes a header of 4096 bytes and no longer one', () => {
    const fitting = (bytes: number) => {
      const rest = bytes - header().length + 'payload'.length - '-> \n\n'.length;
      return header(`-> ${'x'.repeat(rest)}\n\n`);
    };
    expect(parseAgeHeader(fitting(MAX_AGE_HEADER_BYTES))).to.have.property('stanzas');
    expect(parseAgeHeader(fitting(MAX_AGE_HEADER_BYTES + 1)))
      .to.have.property('problem')
      .that.contains('4096');
  });

  it('never throws', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'->- abAB09+/=\n\u00ff') }), (text) => {
        const parsed = parseAgeHeader(ascii(`age-encryption.org/v1\n${text}`));
        expect('stanzas' in parsed || 'problem' in parsed).to.equal(true);
      }),
    );
  });
});

describe('ageHeaderIssues', () => {
  const path = '/bundle/encryption';

  it('takes a file to one X25519 recipient', async () => {
    expect(ageHeaderIssues(await encrypted(1), path)).to.deep.equal([]);
    expect(ageHeaderIssues(header(X25519), path)).to.deep.equal([]);
  });

  it('refuses any other', async () => {
    const others: [file: Uint8Array, message: string][] = [
      [ascii('hello\n'), 'age file'],
      [await encrypted(2), 'exactly one stanza'],
      [await withPassphrase(), 'exactly one stanza'],
      [header(), 'exactly one stanza'],
      [header(X25519, '-> x-grease\n\n'), 'exactly one stanza'],
      [header(`-> x25519 ${KEY}\n${KEY}\n`), 'exactly one stanza'],
      [header(`-> X25519\n${KEY}\n`), 'malformed'],
      [header(`-> X25519 ${KEY} x\n${KEY}\n`), 'malformed'],
      [header(`-> X25519 ${base64(31)}\n${KEY}\n`), 'malformed'],
      [header(`-> X25519 ${KEY}=\n${KEY}\n`), 'malformed'],
      [header(`-> X25519 ${base64(32, 0)}\n${KEY}\n`), 'malformed'],
      [header(`-> X25519 ${KEY}\n${base64(31)}\n`), 'malformed'],
      [header(`-> X25519 ${KEY}\n${base64(33)}\n`), 'malformed'],
    ];
    for (const [file, message] of others) {
      const issues = ageHeaderIssues(file, path);
      expect(issues).to.have.length(1);
      expect(issues[0]).to.have.property('path', path);
      expect(issues[0]).to.have.property('message').that.contains(message);
    }
  });
});
