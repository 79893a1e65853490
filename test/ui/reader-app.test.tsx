import {cleanup, render} from 'ink-testing-library';
import {afterEach, expect, test, vi} from 'vitest';
import {createAnnouncer} from '#app/reader/announcer.ts';
import {createReader} from '#app/reader/reader.ts';
import {createStore} from '#app/store.ts';
import {ReaderApp} from '#ui/reader-app.tsx';
import {sampleState, serviceStartMs} from '../support/play.ts';

afterEach(cleanup);

const open = async () => {
  const store = createStore({
    initial: sampleState({columns: 20_000, rows: 5}),
    readMoment: () => ({nowMs: 10_000, wallMs: serviceStartMs, random: 0.5, tokenExpiresAtMs: undefined}),
    runEffect: () => {},
  });
  const announcer = createAnnouncer({nowMs: () => 10_000, schedule: () => {}, isBusy: () => false});
  const said: string[] = [];
  announcer.subscribe(() => said.push(...announcer.batch().sentences));
  const reader = createReader({store, announcer});
  const app = render(<ReaderApp store={store} reader={reader} announcer={announcer} />);
  await vi.waitFor(() => expect(app.stdin.listenerCount('readable')).toBeGreaterThan(0));
  const paste = (text: string): void => app.stdin.write(`\u001b[200~${text}\u001b[201~`);
  return {store, said, paste, press: (keys: string): void => app.stdin.write(keys)};
};

test('a key that does nothing here is refused by its name', async () => {
  const {press, said} = await open();
  press('Z');
  await vi.waitFor(() => expect(said.join(' ')).toContain('Z'));
});

test('pasted text goes to an input line alone: elsewhere its letters are no commands', async () => {
  const {store, paste, press} = await open();
  paste('q');
  press('/');
  await vi.waitFor(() => expect(store.state().focus.kind).toBe('filter'));
  paste('shop');
  await vi.waitFor(() => expect(store.state().sitePicker.filter).toBe('shop'));
});
