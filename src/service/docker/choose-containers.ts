import {globPattern} from '#base/glob-pattern.ts';
import {type EngineContainer, isUp} from './engine-container.ts';

/** Whether a container is one of those that a word, or several, mean. */
export type ChooseContainer = (container: EngineContainer) => boolean;

const idPattern = /^[0-9a-f]{4,64}$/;

/** Ways to understand a word, the first that finds a container wins. */
const readings = (word: string): readonly ChooseContainer[] => [
  ({name, id}) => name === word || id === word,
  ({service}) => service === word,
  ({project, service}) => `${project}/${service}` === word,
  ({project}) => project === word,
  ({id}) => idPattern.test(word) && id.startsWith(word),
  ...(/[*?]/.test(word) ? [({name}: EngineContainer) => globPattern(word).test(name)] : []),
];

/**
 * Returns what chooses the containers that are meant by words: names, ids, services and projects of Compose, and
 * patterns of names. A container that is made later is one of them, too, if it has the name. Without words: those that
 * run now, or run later. Returns the words as `unknown` that find none.
 */
export const chooseContainers = (
  words: readonly string[],
  containers: readonly EngineContainer[],
): {readonly isChosen: ChooseContainer; readonly unknown: readonly string[]} => {
  if (words.length === 0) {
    const seen = new Set<string>();
    return {
      isChosen: container => {
        if (isUp(container)) {
          seen.add(container.id);
        }
        return seen.has(container.id);
      },
      unknown: [],
    };
  }
  const found = words.map(word => {
    const reading = readings(word).find(each => containers.some(each));
    const names = new Set(containers.filter(each => reading?.(each)).map(({name}) => name));
    return {word, reading, names};
  });
  return {
    // An id is that of one container; what replaces it has its name.
    isChosen: container => found.some(({reading, names}) => names.has(container.name) || reading?.(container)),
    unknown: found.flatMap(({word, reading}) => (reading ? [] : [word])),
  };
};
