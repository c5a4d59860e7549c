/** The environment does not make a configuration. Holds every problem, each beginning with the variable's name; no secret values. */
export class ConfigurationError extends Error {
  override readonly name = 'ConfigurationError';

  constructor(readonly problems: readonly string[]) {
    super(['the configuration is not valid:', ...problems.map((problem) => `  ${problem}`)].join('\n'));
  }
}
