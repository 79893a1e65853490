import {canonicalStampLength, formatInstant, type Instant} from '../../src/log/line/instant.ts';
import {makeLine} from '../bodies.ts';

/** A web server access line of `lineBytes` bytes, unlike every other, logged at an instant. */
export const makeLineAt = (index: number, at: Instant): string =>
  formatInstant(at) + makeLine(index).slice(canonicalStampLength);

/** What only this line of all has, as it stands on a screen. */
export const signOf = (index: number): string => `/product/${index} `;
