import type {Client} from '../../api/http/client.ts';
import type {CallWishes} from '../../app/parts/call-user.ts';
import type {ContextChoice, ContextLabel, KnownSite} from '../../app/state/state.ts';
import type {NotifySettings} from '../../config/client/notify-settings.ts';
import type {UiSettings} from '../../config/client/ui-settings.ts';
import type {BranchMemory} from '../../config/memory/branch-memory.ts';
import type {Instant} from '../../log/line/instant.ts';

/** What the screens are opened with. */
export type ScreensOptions = {
  readonly context: ContextLabel;
  /** All that can be gone to, the one above among them. None where there is only one. */
  readonly contexts: readonly ContextChoice[];
  /** From here on `openClient` opens that context's, and `rememberSite` is about its sites. */
  readonly switchContext: (name: string) => void;
  readonly sites: readonly KnownSite[];
  /** Where to begin: a site, and in it a branch by id or name. */
  readonly siteId: string | undefined;
  readonly branch: string | undefined;
  /** The time that the branch's log is opened at. */
  readonly at?: Instant | undefined;
  readonly log: {readonly intervalMs: number; readonly bufferMb: number; readonly keepsColour: boolean};
  /** Loaded and opened with the first request. */
  readonly openClient: (say: (sentence: string) => void) => Promise<Client>;
  /** The client plays a recording: it holds each answer until its time, so it may be asked at once. */
  readonly isReplay: boolean;
  readonly rememberSite: (siteId: string) => Promise<string | undefined>;
  readonly ui: UiSettings;
  readonly notify: NotifySettings;
  /** When the user is to be called in the way that `notify` says; undefined where never. */
  readonly callWishes?: CallWishes | undefined;
  /** How logs were looked at is known and kept in it; undefined where nothing is to be kept. */
  readonly branchMemory?: BranchMemory | undefined;
  readonly notice: string | undefined;
  /** Runs before the program ends, the terminal being restored already. */
  readonly onExit: () => Promise<void>;
};
