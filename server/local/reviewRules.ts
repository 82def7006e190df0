/**
 * The rules of the local readiness reviewer: what a reader would have to ask before working on a challenge. They are
 * deterministic and local to test stacks; a real deployment asks a language model. The text is data: nothing in it can
 * change a rule.
 */
import { parseDocument } from 'yaml';

/** One concern in the reviewer's words; `path` names a topic of the page. */
export interface ReviewIssue {
  readonly path: string;
  readonly message: string;
}

interface Challenge {
  readonly frontmatter: Record<string, unknown>;
  readonly body: string;
  /** Text under `## <heading>`, by lower-case heading. */
  readonly sections: ReadonlyMap<string, string>;
}

type Rule = (challenge: Challenge) => ReviewIssue[];

const VAGUE =
  /\b(?:good enough|as good as possible|reasonabl[ey]|appropriate(?:ly)?|satisfactory|state of the art|significantly better|fast enough|user[- ]friendly|high quality|robust|etc\.?|and so on|tbd|to be decided)\b/i;
const MEASURE =
  /\b(?:error|accuracy|temperature|mass|length|width|height|distance|time|latency|duration|energy|power|pressure|volume|concentration|resolution|rmse|mae|yield|throughput|memory|size)\b/i;
const BARE_NUMBER =
  /(?:at most|at least|below|above|under|over|less than|more than|within|up to|<=?|>=?|≤|≥)\s*(\d+(?:[.,]\d+)*)(?![.,]?\d)(?=\s*(?:[.;,)]|$))/im;

/** The rules in the order in which their concerns are listed. */
const RULES: readonly Rule[] = [
  criteriaAreThere,
  criteriaAreTestable,
  numbersCarryUnits,
  deadlinesAreStated,
  inputsAreFixed,
  rewardIsTheSame,
];

/** Reviews one challenge document; an empty list means that it is ready. Never throws on bad text. */
export function reviewChallenge(document: string): ReviewIssue[] {
  const challenge = readChallenge(document);
  return RULES.flatMap((rule) => rule(challenge));
}

function criteriaOf({ sections }: Challenge): { id: string; text: string }[] {
  const text = sections.get('acceptance criteria') ?? '';
  const items = [...text.matchAll(/^[-*]\s*(AC-\d+):?\s*((?:.*)(?:\n(?![-*]\s|#).*)*)/gm)];
  return items.map(([, id, criterion]) => ({ id: id ?? '', text: (criterion ?? '').trim() }));
}

function criteriaAreThere(challenge: Challenge): ReviewIssue[] {
  if (criteriaOf(challenge).length > 0) return [];
  return [
    {
      path: 'Acceptance criteria',
      message:
        'No acceptance criterion was found. State each one as an item that begins with AC-1:, AC-2: and so on.',
    },
  ];
}

function criteriaAreTestable(challenge: Challenge): ReviewIssue[] {
  return criteriaOf(challenge).flatMap(({ id, text }) => {
    const vague = VAGUE.exec(text)?.[0];
    if (vague === undefined) return [];
    return [
      {
        path: `Acceptance criteria ${id}`,
        message: `"${vague}" leaves two Guardians free to disagree. Say what is measured, how, and which value passes.`,
      },
    ];
  });
}

function numbersCarryUnits(challenge: Challenge): ReviewIssue[] {
  return criteriaOf(challenge).flatMap(({ id, text }) => {
    const bare = MEASURE.test(text) ? BARE_NUMBER.exec(text)?.[1] : undefined;
    if (bare === undefined) return [];
    return [
      {
        path: `Acceptance criteria ${id}`,
        message: `The value ${bare} has no unit. Give the unit, or say that the quantity has none.`,
      },
    ];
  });
}

function deadlinesAreStated({ frontmatter }: Challenge): ReviewIssue[] {
  const names = ['submission_deadline', 'judging_deadline_at', 'settlement_timeout_at'];
  return names
    .filter((name) => !frontmatter[name])
    .map((name) => ({
      path: 'Deadlines',
      message: `The page does not state ${name}. Add it to the frontmatter.`,
    }));
}

function inputsAreFixed({ frontmatter, body }: Challenge): ReviewIssue[] {
  const inputs = Array.isArray(frontmatter.inputs) ? (frontmatter.inputs as Record<string, unknown>[]) : [];
  const loose = inputs
    .filter((input) => !/^[0-9a-f]{64}$/i.test(String(input?.sha256 ?? '')))
    .map((input) => ({
      path: 'Inputs',
      message: `The input "${String(input?.name ?? 'without a name')}" has no SHA-256 digest, so its bytes could change.`,
    }));
  const listed = new Set(inputs.map((input) => String(input?.uri ?? '')));
  const linked = [
    ...body.matchAll(
      /https?:\/\/[^\s)>\]"'`]+\.(?:csv|json|zip|gz|tar|h5|hdf5|npz|parquet|pdb|fasta|txt)\b/gi,
    ),
  ]
    .map(([uri]) => uri)
    .filter((uri) => !listed.has(uri))
    .map((uri) => ({
      path: 'Inputs',
      message: `The file ${uri} is used but not listed under inputs with its SHA-256 digest and length.`,
    }));
  return [...loose, ...linked];
}

/** The prose may state the reward in units of the smallest kind or with the token's six decimals. */
function rewardIsTheSame({ frontmatter, body }: Challenge): ReviewIssue[] {
  const reward = (frontmatter.reward ?? {}) as Record<string, unknown>;
  const amount = String(reward.amount ?? '');
  const prose = /\breward(?:s|ed)?\b[^.\n\d]{0,60}?(\d[\d_, ]*(?:\.\d+)?)/i
    .exec(body)?.[1]
    ?.replace(/[_, ]/g, '');
  if (prose === undefined || !/^\d+$/.test(amount)) return [];
  const decimals = Number(prose.split('.')[1]?.length ?? 0);
  const whole = BigInt(prose.replace('.', ''));
  const same =
    decimals <= 6 && (whole === BigInt(amount) || whole * 10n ** BigInt(6 - decimals) === BigInt(amount));
  if (same) return [];
  return [
    {
      path: 'Reward',
      message: `The text speaks of a reward of ${prose}, the frontmatter of ${amount} smallest units. Make them agree.`,
    },
  ];
}

function readChallenge(document: string): Challenge {
  const match = /^---\r?\n([\s\S]*?)\r?\n---\r?\n?([\s\S]*)$/.exec(document);
  const body = match?.[2] ?? document;
  const sections = new Map<string, string>();
  for (const part of body.split(/^## /m).slice(1)) {
    const [heading = '', ...lines] = part.split('\n');
    const name = heading.trim().toLowerCase();
    // A heading that comes twice must not hide what stood under the first.
    sections.set(name, [sections.get(name) ?? '', ...lines].join('\n'));
  }
  return { frontmatter: readFrontmatter(match?.[1] ?? ''), body, sections };
}

function readFrontmatter(text: string): Record<string, unknown> {
  try {
    const document = parseDocument(text, { schema: 'failsafe', maxAliasCount: 0 } as never);
    const value: unknown = document.toJS({ maxAliasCount: 0 });
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : {};
  } catch {
    return {};
  }
}
