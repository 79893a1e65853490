/**
 * An invalid configuration: exit code 2. The message is one sentence: which setting, where, and what was expected. It
 * quotes the value only of settings that can't be secret.
 */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}
