import {type Client, createClient} from '../api/client.ts';
import {createTokenProvider, type TokenProvider} from '../api/token.ts';
import type {Settings} from '../config/settings.ts';
import type {Io} from './io.ts';
import type {Say} from './notices.ts';
import {version} from './version.ts';

/** A token that comes with a warning is worth a line, once: that its file can be read by the group, or is gone. */
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

/** A client for the context that the settings name. Close it when done. */
export const connect = ({context}: Settings, io: Io, say: Say): Client => {
  const token = createTokenProvider(context.token, {env: io.env, nowMs: io.clock.nowMs});
  return createClient({
    baseUrl: context.baseUrl,
    tenant: context.tenant,
    authMode: context.authMode,
    token: sayTokenNotices(token, say),
    env: io.env,
    userAgent: `branchlog/${version}`,
    nowMs: io.clock.nowMs,
    ...(context.proxy === undefined ? {} : {proxy: context.proxy}),
    windowCut: context.window,
    ...(context.caFile === undefined ? {} : {caFile: context.caFile}),
  });
};
