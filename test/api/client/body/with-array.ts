import {BlockTexts} from '#log/window/texts.ts';

/** Returns what a reader made of a body with its lines as an array. */
export const withArray = (json: unknown): unknown =>
  typeof json === 'object' && json !== null && 'data' in json && json.data instanceof BlockTexts
    ? {...json, data: [...json.data]}
    : json;
