// What YAML may look like before a parser composes it: nesting and the number of special tokens are bounded, because
// the composer recurses and thirty thousand open brackets end the process. Must never compose anything itself.
import { CST, Lexer } from 'yaml';

const MAX_FLOW_DEPTH = 8;
const MAX_INDICATORS_ON_A_LINE = 8;
const MAX_SPECIAL_TOKENS = 50;

/** The first bound that a YAML text breaks, in one sentence, or undefined when it is safe to compose. */
export function brokenYamlBound(yaml: string): string | undefined {
  let flowDepth = 0;
  let indicators = 0;
  let special = 0;
  for (const token of new Lexer().lex(yaml)) {
    switch (CST.tokenType(token)) {
      case 'flow-seq-start':
      case 'flow-map-start':
        flowDepth += 1;
        break;
      case 'flow-seq-end':
      case 'flow-map-end':
        flowDepth = Math.max(0, flowDepth - 1);
        break;
      case 'newline':
        indicators = 0;
        break;
      case 'seq-item-ind':
      case 'explicit-key-ind':
      case 'map-value-ind':
        if (flowDepth === 0) indicators += 1;
        break;
      case 'tag':
      case 'anchor':
      case 'alias':
        special += 1;
        break;
      case 'directive-line':
      case 'doc-start':
      case 'doc-end':
        return 'Directives and document markers have no place here.';
      default:
    }
    if (flowDepth > MAX_FLOW_DEPTH || indicators > MAX_INDICATORS_ON_A_LINE)
      return 'The YAML nests too deep.';
    if (special > MAX_SPECIAL_TOKENS) return 'Tags, anchors and aliases have no place here.';
  }
  return undefined;
}
