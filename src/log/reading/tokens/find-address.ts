const ipv4 = /\d{1,3}\.\d{1,3}\.\d{1,3}\.\d{1,3}(?!\d)(?![\w.]\w)/y;
// At most eight groups, `::` for some of them; may end in an IPv4 address.
const ipv6 = /(?:[\da-f]{0,4}:){2,8}(?:\d{1,3}(?:\.\d{1,3}){3}|[\da-f]{0,4})(?![\w:])/iy;
const hasDigit = /\d/;

/** Returns the index after the IP address that begins at `index`, without a port; -1 if there is none. */
export const findAddressEnd = (text: string, index: number): number => {
  ipv4.lastIndex = index;
  if (ipv4.test(text)) {
    return ipv4.lastIndex;
  }
  ipv6.lastIndex = index;
  if (!ipv6.test(text)) {
    return -1;
  }
  // `a:b:c` are words and `12:30:59` is a time; an address has a digit, and seven colons or two adjacent ones.
  const end = ipv6.lastIndex;
  const address = text.slice(index, end);
  const isFull = address.split(':').length === 8;
  return address.length > 2 && hasDigit.test(address) && (isFull || address.includes('::')) ? end : -1;
};
