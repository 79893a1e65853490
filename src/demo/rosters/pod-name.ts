import {createRandom} from '../world/seed/random.ts';

// Orchestrators leave vowels and look-alikes out of generated names, so that no word appears by chance.
const nameAlphabet = 'bcdfghjklmnpqrstvwxz2456789';

/**
 * Returns a pod's generated name: the application, the hash of its template, which all pods of one release share, and a
 * suffix of its own.
 */
export const makePodName = (applicationName: string, release: string, pod: string): string => {
  const templateHash = createRandom('template', applicationName, release).text(nameAlphabet, 10);
  return `${applicationName}-${templateHash}-${createRandom('pod', applicationName, release, pod).text(nameAlphabet, 5)}`;
};
