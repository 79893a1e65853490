/** A proxy's host and port for messages: its address often carries a name and a password, which are never shown. */
export const describeProxy = (proxy: string): string => {
  const url = URL.parse(/^[a-z][a-z0-9+.-]*:\/\//i.test(proxy) ? proxy : `http://${proxy}`);
  if (!url?.hostname) {
    return 'an address that cannot be read';
  }
  return `${url.hostname}:${url.port || (url.protocol === 'https:' ? '443' : '80')}`;
};
