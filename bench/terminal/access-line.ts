import {canonicalStampLength, formatInstant, type Instant} from '#log/line/instant.ts';
import {makeLine} from '../bodies.ts';

/** Creates a unique web server access line of `lineBytes` bytes, logged at an instant. */
export const makeLineAt = (index: number, at: Instant): string =>
  formatInstant(at) + makeLine(index).slice(canonicalStampLength);

/** Returns the text that is unique to this line, as shown on a screen. */
export const signOf = (index: number): string => `/product/${index} `;
