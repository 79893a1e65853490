/** Formats a key of TOML 1.0: in quotes if it needs them, as a host name does because of its dots. */
export const formatTomlKey = (key: string): string =>
  /^[\w-]+$/.test(key) ? key : JSON.stringify(key).replaceAll('\x7f', '\\u007f');
