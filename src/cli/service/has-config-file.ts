import {existsSync} from 'node:fs';
import {join} from 'node:path';
import type {ParsedArguments} from '#cli/arguments/args.ts';
import type {Io} from '#cli/io/io.ts';
import {findConfigFolder} from '#config/settings/folders.ts';

/** Returns whether there is a config file, or one or a context of it was named, which must exist then. */
export const hasConfigFile = (parsed: ParsedArguments, io: Io): boolean => {
  const isNamed = parsed.values.has('config') || parsed.values.has('context');
  const folder = findConfigFolder(io.env, io.homeFolder);
  return (
    isNamed ||
    Boolean(io.env.BRANCHLOG_CONFIG || io.env.BRANCHLOG_CONTEXT) ||
    (folder !== undefined && existsSync(join(folder, 'config.toml')))
  );
};
