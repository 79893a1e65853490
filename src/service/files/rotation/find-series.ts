import {readdir} from 'node:fs/promises';
import {dirname, join, sep} from 'node:path';
import {type FoundFile, findReadable} from '../disk/find-files.ts';

/** Names of a folder that are looked at. */
const namesMax = 4096;

/** Replaces numbers, dates and hashes: what stays is the same in the names of a series. */
const formOf = (name: string): string => name.replaceAll(/[0-9a-f]{7,}|\d+/g, '#');

/**
 * Finds the files that belong to the same series as two that a link led to: their paths are the same but for one part,
 * in which only numbers, dates or hashes differ, such as `app-2.log`, or `releases/17/app.log`. `from` is undefined if
 * it is not known; files beside `to` belong to it then.
 */
export const findSeries = async (from: string | undefined, to: string): Promise<readonly FoundFile[]> => {
  const parts = to.split(sep);
  const others = from?.split(sep) ?? [];
  const differing = parts.flatMap((part, index) => (part === others[index] ? [] : [index]));
  const isOnePart = others.length === parts.length && differing.length === 1;
  const place = (isOnePart ? differing[0] : undefined) ?? parts.length - 1;
  const folder = parts.slice(0, place).join(sep) || sep;
  const form = formOf(parts[place] ?? '');
  const names = await readdir(folder).catch(() => []);
  const series = names.filter(name => formOf(name) === form && form.includes('#')).slice(0, namesMax);
  return findReadable(series.map(name => join(folder, name, ...parts.slice(place + 1))));
};

/** Finds the files in the folders of these paths. */
export const findBeside = async (paths: readonly string[]): Promise<readonly FoundFile[]> => {
  const folders = [...new Set(paths.map(path => dirname(path)))];
  const names = await Promise.all(
    folders.map(async folder => (await readdir(folder).catch(() => [])).map(name => join(folder, name))),
  );
  return findReadable(names.flat().slice(0, namesMax));
};
