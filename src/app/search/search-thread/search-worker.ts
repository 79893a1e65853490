/** The search thread, started by search-host.ts. It may be ended at any time. */
import {parentPort} from 'node:worker_threads';
import {createMatcher, type Matcher} from '#log/pattern/matcher.ts';
import {createBlockScanner} from '../../search-thread/scan-block.ts';
import type {SearchAnswer, SearchRequest} from '../../search-thread/search-message.ts';

/** Maximum cached matchers: enough for a search and some filters. */
const matchersMax = 16;
const matchers = new Map<string, Matcher>();

const scanBlock = createBlockScanner();

const openMatcher = async ({pattern, engine}: SearchRequest): Promise<Matcher> => {
  const key = `${engine} ${pattern.query}`;
  const known = matchers.get(key);
  if (known !== undefined) {
    return known;
  }
  // Loaded on demand: few patterns need it.
  const matcher =
    engine === 'fast' ? createMatcher(pattern) : (await import('../re2-matcher.ts')).createRe2Matcher(pattern);
  if (matchers.size >= matchersMax) {
    matchers.clear();
  }
  matchers.set(key, matcher);
  return matcher;
};

const answer = async (request: SearchRequest): Promise<SearchAnswer> => {
  try {
    const matcher = await openMatcher(request);
    switch (request.kind) {
      case 'match':
        return {kind: 'matched', offsetsOfChunks: request.chunks.map(matcher.matchChunk)};
      case 'findSpans':
        return {kind: 'foundSpans', spansOfTexts: request.texts.map(matcher.findSpans)};
      case 'scan':
        return {kind: 'scanned', offset: scanBlock(request.block, request.pattern, matcher.matchesLine)};
      default:
        return request satisfies never;
    }
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return {kind: 'refused', reason: reason.replace(/^error parsing regexp: /, '')};
  }
};

const send = (message: SearchAnswer): void => {
  parentPort?.postMessage(message);
};

/** Answers requests one after another, although one may wait for an engine to load. */
let answered: Promise<void> = Promise.resolve();

parentPort?.on('message', (request: SearchRequest) => {
  answered = answered.then(async () => {
    send(await answer(request));
  });
});
send({kind: 'ready'});
