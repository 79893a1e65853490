import type {SourceName} from '../line/source-name.ts';

/** Checks whether a line of a source may be among those of a wider one: what that leaves out may be any. */
export const coversSource = (wide: SourceName | undefined, {pod, container, stream}: SourceName): boolean =>
  (wide?.pod ?? pod) === pod && (wide?.container ?? container) === container && (wide?.stream ?? stream) === stream;
