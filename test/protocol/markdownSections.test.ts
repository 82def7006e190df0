import { expect } from 'chai';
import { markdownSections } from '../../server/protocol/markdownSections.ts';

const outline = (body: string) =>
  markdownSections(body).map(({ level, title, text }) => [level, title, text]);

describe('markdownSections', () => {
  it('cuts at headings of level 1 and 2', () => {
    expect(outline('before\n# T\n\nintro\n\n## A\n### deeper\nx\n## B ##\n')).to.deep.equal([
      [1, 'T', 'intro'],
      [2, 'A', '### deeper\nx'],
      [2, 'B', ''],
    ]);
  });

  it('reads headings as CommonMark does', () => {
    expect(outline('#  T  #  \n   ## A # \n##\tB\n## C#\n## #\n    # code\n#no\n####### no')).to.deep.equal([
      [1, 'T', ''],
      [2, 'A', ''],
      [2, 'B', ''],
      [2, 'C#', ''],
      [2, '', '# code\n#no\n####### no'],
    ]);
  });

  it('does not look into fenced code', () => {
    const fenced = (open: string, close: string) =>
      outline(`# T\n${open}\n## no\n${close}\n## A`).map(([, title]) => title);
    expect(fenced('```', '```')).to.deep.equal(['T', 'A']);
    expect(fenced('```md', '````')).to.deep.equal(['T', 'A']);
    expect(fenced('  ~~~ `x`', '~~~  ')).to.deep.equal(['T', 'A']);
    expect(fenced('````', '```')).to.deep.equal(['T']);
    expect(fenced('```', '~~~')).to.deep.equal(['T']);
    expect(fenced('```', '``` x')).to.deep.equal(['T']);
    expect(fenced('    ```', '')).to.deep.equal(['T', 'no', 'A']);
    expect(fenced('``` a`b', '')).to.deep.equal(['T', 'no', 'A']);
    expect(fenced('``', '')).to.deep.equal(['T', 'no', 'A']);
  });

  it('keeps fenced code in the text and out of the prose', () => {
    const [section] = markdownSections('# T\na\n```\nb\n```\nc');
    expect(section).to.deep.include({ text: 'a\n```\nb\n```\nc', prose: ['a', 'c'] });
  });

  it('has none without a heading', () => {
    expect(markdownSections('')).to.deep.equal([]);
    expect(markdownSections('```\nx\n```\ntext')).to.deep.equal([]);
  });
});
