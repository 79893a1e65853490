import {basename, extname} from 'node:path';
import type {FollowedFile} from '../pod/followed-file.ts';
import {findRotatedFrom} from '../rotation/rotated-name.ts';

/**
 * Groups files that have to be read one after the other: those of which one may be the predecessor or a copy of another
 * one, by their names. In each group they stay in order.
 */
export const groupLogs = <File extends Pick<FollowedFile, 'path'>>(
  files: readonly File[],
): readonly (readonly File[])[] => {
  const paths = new Set(files.map(({path}) => path));
  const logs = files.map((file, index) => {
    const log = findRotatedFrom(file.path, path => paths.has(path)) ?? file.path;
    return {file, index, name: basename(log)};
  });
  const groups: (typeof logs)[] = [];
  let stem: string | undefined;
  for (const log of logs.toSorted((left, right) => (left.name < right.name ? -1 : 1))) {
    if (stem === undefined || !log.name.startsWith(stem)) {
      groups.push([]);
      stem = basename(log.name, extname(log.name));
    }
    groups.at(-1)?.push(log);
  }
  return groups.map(group => group.toSorted((left, right) => left.index - right.index).map(({file}) => file));
};
