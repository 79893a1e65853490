import {createClient, type ServiceClient} from '#api/client/client.ts';
import {createTokenProvider, type TokenProvider} from '#api/client/token.ts';
import type {CommandInput} from '#cli/arguments/args.ts';
import type {Io, Say} from '#cli/io/io.ts';
import {version} from '#cli/io/version.ts';
import type {Settings} from '#config/settings/settings.ts';
import {keepBranchNames} from './label-branches.ts';

/** Reports a token's warning once: its file is readable by the group, or is gone. */
const sayTokenNotices = (token: TokenProvider, say: Say): TokenProvider => {
  let said: string | undefined;
  return {
    ...token,
    read: async options => {
      const reading = await token.read(options);
      if (reading.notice !== said) {
        said = reading.notice;
        if (said !== undefined) {
          say(said);
        }
      }
      return reading;
    },
  };
};

/**
 * Creates a client for the context of the settings. The caller must close it. `atEnd` is for commands that end by
 * themselves: it waits until the last listing is stored.
 */
export const connect = (
  {context}: Pick<Settings, 'context'>,
  io: Io,
  say: Say,
  atEnd?: CommandInput['atEnd'],
  watchedMax?: number,
): ServiceClient => {
  const token = createTokenProvider(context.token, {env: io.env, nowMs: io.clock.nowMs});
  const {baseUrl, tenant, authMode, proxy, caFile} = context;
  const client = createClient({
    ...{baseUrl, tenant, authMode, proxy, caFile, watchedMax},
    token: sayTokenNotices(token, say),
    env: io.env,
    userAgent: `branchlog/${version}`,
    nowMs: io.clock.nowMs,
    windowCut: context.window,
    windowSources: context.sources,
  });
  return keepBranchNames(client, context.name, io, atEnd);
};
