import type {ReadStream} from 'node:tty';
import type {Client} from '#api/client/client.ts';
import type {EffectRunnerOptions} from '#app/effect-runner.ts';
import type {State} from '#app/state/state.ts';
import type {FilterMemory} from '#cli/connection/screen-settings.ts';
import type {BranchMemory} from '#config/memory/branch-memory.ts';
import type {NotifySettings, UiSettings} from '#config/settings/sections.ts';
import type {LogSettings} from '#config/settings/settings.ts';
import type {Instant} from '#log/line/instant.ts';

/** The options for opening the screens. */
export type ScreensOptions = Pick<State, 'context' | 'sites' | 'notifyRules'> &
  Partial<Pick<State, 'contexts' | 'notice'>> & {
    /** Switches the context: from now on `openClient` opens its client, and `rememberSite` stores its sites. */
    readonly switchContext?: (name: string) => void;
    /** Tells of the sites from now on, where they come and go. */
    readonly watchSites?: (tell: (ids: readonly string[]) => void) => void;
    /** Where to start: a site, and in it a branch by id or name. */
    readonly siteId?: string | undefined;
    readonly branch?: string | undefined;
    /** The time at which to open the branch's log. */
    readonly at?: Instant | undefined;
    readonly log: LogSettings;
    /** A probe is costly: only at branches on the screen. */
    readonly probesOnlyShown?: boolean;
    /** The log is read by this program, so its first lines are there before the first frame. */
    readonly isAtHand?: boolean;
    /** Loads and opens the client, with the first request. */
    readonly openClient: (say: (sentence: string) => void) => Promise<Client>;
    /** The terminal that keys come from, if that is not standard input. */
    readonly keys?: ReadStream | undefined;
    /** The client plays a recording: it holds back each answer until its time, so it may be polled at once. */
    readonly isReplay?: boolean;
    readonly rememberSite?: (siteId: string) => Promise<string | undefined>;
    readonly ui: UiSettings;
    readonly notify: NotifySettings;
    /** Stores and restores the view settings of logs; undefined if nothing is stored. */
    readonly branchMemory?: BranchMemory | undefined;
    /** Reads what the guard reported about branches. */
    readonly readGuard?: EffectRunnerOptions['readGuard'];
    /** The filters that have a name; undefined if there are none, and none are kept. */
    readonly filterMemory?: FilterMemory | undefined;
    /** Runs before the program ends, after the terminal has been restored. */
    readonly onExit: () => Promise<void>;
  };
