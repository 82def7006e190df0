// The one reader of the CLI's environment: it takes the variables below and nothing else, so that no other part of the
// CLI can come to depend on one that `--help` does not name.

/** Every variable that the CLI reads. */
export const VARIABLES = ['ELGORA_API_BASE_URL', 'SERVICE_CLI_RPC_URL', 'SERVICE_CLI_PRIVATE_KEY'] as const;

/** What they hold; absent where a variable is unset or empty. */
export type Environment = { readonly [name in (typeof VARIABLES)[number]]?: string };

/** The process's own. */
export function processEnvironment(): Environment {
  const set = VARIABLES.map((name) => [name, process.env[name]] as const).filter(([, value]) => value);
  return Object.fromEntries(set) as Environment;
}
