import {messageOf} from '#api/client/api-error.ts';
import type {Exporter, SaveOutcome} from '#app/export/exporter.ts';
import type {Effect} from '#app/state/effect.ts';
import type {Event} from '#app/state/event.ts';

type ExportEffect = Extract<Effect, {kind: 'saveFile' | 'cancelSave' | 'pipe'}>;

export type ExportRunner = {
  readonly run: (effect: ExportEffect, dispatch: (event: Event) => void) => void;
  /** Cancels a running save; resolves when it has cleaned up. */
  readonly close: () => Promise<void>;
};

/**
 * Creates the runner of save and pipe effects; the exporter is loaded with the first of them. Only one file is saved at
 * a time, and a cancelled save dispatches nothing.
 */
export const createExportRunner = (openExporter: () => Promise<Exporter>): ExportRunner => {
  let exporter: Promise<Exporter> | undefined;
  let saving = new AbortController();
  let saved: Promise<void> = Promise.resolve();

  const open = (): Promise<Exporter> => {
    exporter ??= openExporter();
    return exporter;
  };

  return {
    run: (effect, dispatch) => {
      switch (effect.kind) {
        case 'saveFile': {
          saving.abort();
          saving = new AbortController();
          const {signal} = saving;
          const tell = (event: Event): void => {
            if (!signal.aborted) {
              dispatch(event);
            }
          };
          saved = open()
            .then(each => each.save(effect.request, signal, share => tell({kind: 'saveProgressed', share})))
            // An exporter reports its own failures; this one could not be loaded.
            .catch((error: unknown): SaveOutcome => ({kind: 'failed', sentence: messageOf(error)}))
            .then(outcome => tell({kind: 'saveEnded', outcome}));
          return;
        }
        case 'cancelSave':
          saving.abort();
          return;
        case 'pipe':
          void open()
            .then(each => each.pipe(effect.request))
            .catch(messageOf)
            .then(notice => {
              if (notice !== undefined) {
                dispatch({kind: 'noticed', notice});
              }
            });
          return;
        default:
          effect satisfies never;
      }
    },
    close: async () => {
      saving.abort();
      await saved;
    },
  };
};
