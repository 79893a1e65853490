import {installKeymap} from '#app/keys/keymap.ts';
import {readPreferences} from '#cli/connection/read-settings.ts';
import {openFilterMemory, readKeymap, readNotifyRules} from '#cli/connection/screen-settings.ts';
import {createSay} from '#cli/io/io.ts';
import {createScreenWarnings} from '#cli/open/cluster-remarks.ts';
import {findStateFolder} from '#config/settings/folders.ts';
import type {UiInput} from '../ui.ts';
import {chooseUi} from './choose-ui.ts';
import type {ScreensOptions} from './screens-options.ts';

/** How the screens describe a place that this program reads itself. Settings are those of the config file. */
export type ShownPlace = Partial<ScreensOptions> &
  Pick<ScreensOptions, 'context'> & {
    readonly client: Awaited<ReturnType<ScreensOptions['openClient']>>;
    /** A single one is opened at once. */
    readonly siteIds: readonly string[];
    /** Closes what was opened, at the end. */
    stop(): Promise<unknown>;
  };

/**
 * Prepares the screens on files, an engine or a cluster, which are opened before the screens are: what goes wrong until
 * then is an error message, and what was warned of is shown, and said again at the end. Throws a `UsageError`.
 */
export const prepareScreens = async ({parsed, io}: UiInput) => {
  const {log, ui, notify, keys, filters} = await readPreferences(parsed, io);
  installKeymap(readKeymap({keys}));
  const notifyRules = await readNotifyRules(notify);
  const filterMemory = await openFilterMemory(filters, findStateFolder(io.env, io.homeFolder));
  const say = createSay(io.stderr);
  const warnings = createScreenWarnings();
  return {
    log,
    say,
    warn: warnings.warn,
    show: async ({client, siteIds, stop, notice = filterMemory.notice, ...place}: ShownPlace): Promise<never> => {
      const openUi = await chooseUi(parsed, io.env);
      return openUi({
        ...{log, ui, notify, notifyRules, filterMemory},
        sites: siteIds.map(id => ({id, name: undefined, openedAtMs: undefined})),
        siteId: siteIds.length === 1 ? siteIds[0] : undefined,
        notice,
        openClient: async show => {
          warnings.show(show);
          return client;
        },
        onExit: async () => {
          await stop();
          warnings.repeat(say);
        },
        ...place,
      });
    },
  };
};
