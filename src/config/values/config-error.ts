/**
 * Wrong configuration: exit code 2. The message is one sentence: which setting, where, what was expected. It
 * holds the value only of settings that are no secret by kind.
 */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}
