import {expect, test} from 'vitest';
import {type Follow, followLine, followNothing} from '#log/reading/continuation.ts';

/** The lines that begin an event; all others belong to the one above them. */
const headsOf = (lines: readonly string[]): readonly string[] => {
  let follow: Follow = followNothing;
  return lines.filter(line => {
    follow = followLine(follow, line);
    return !follow.isContinuation;
  });
};

const events: Readonly<Record<string, readonly string[]>> = {
  'a panic of Go': [
    'panic: runtime error: index out of range [5] with length 3',
    '[signal SIGSEGV: segmentation violation code=0x1 addr=0x0 pc=0x4a7c1f]',
    '',
    'goroutine 1 [running]:',
    'main.(*Shop).pay(0xc000012345, {0x4b1a20, 0x5}, ...)',
    '\t/src/shop.go:12 +0x1d',
    'main.main()',
    '\t/src/main.go:9 +0x2a',
    'created by net/http.(*Server).Serve in goroutine 1',
    '\t/usr/local/go/src/net/http/server.go:3086 +0x5cb',
    '',
    'goroutine 18 [chan receive, 2 minutes]:',
    'github.com/example/shop/queue.(*Worker).run-fm({0xc0000a0140?, 0x0?})',
  ],
  'a panic of Rust, its message on a line of its own': [
    "thread 'tokio-runtime-worker' panicked at src/cart.rs:42:17:",
    'called `Option::unwrap()` on a `None` value',
    'stack backtrace:',
    '   0: rust_begin_unwind',
    '             at /rustc/9fc6b43/library/std/src/panicking.rs:665:5',
    'note: Some details are omitted, run with `RUST_BACKTRACE=full` for a verbose backtrace.',
  ],
  "a logged traceback of Python, and another during the first one's handling": [
    'ERROR:shop.cart:checkout failed',
    'Traceback (most recent call last):',
    '  File "/app/cart.py", line 3, in pay',
    '    gateway.charge(order)',
    "KeyError: 'total'",
    '',
    'During handling of the above exception, another exception occurred:',
    '',
    'Traceback (most recent call last):',
    '  File "/app/cart.py", line 9, in pay',
    'shop.errors.CheckoutFailed: no total',
  ],
  "an error of Java's logger with its exception": [
    '2026-11-21 14:02:11,123 [main] ERROR com.example.Shop - checkout failed',
    'com.example.GatewayException: timed out',
    '\tat com.example.Shop.pay(Shop.java:42)',
    'Caused by: java.net.SocketTimeoutException: Read timed out',
    '\t... 23 more',
  ],
  'a crash in logcat': [
    '11-21 14:12:01.123  4321  4321 E AndroidRuntime: FATAL EXCEPTION: main',
    '11-21 14:12:01.123  4321  4321 E AndroidRuntime: Process: com.example.shop, PID: 4321',
    '11-21 14:12:01.123  4321  4321 E AndroidRuntime: java.lang.NullPointerException: no cart',
    '11-21 14:12:01.123  4321  4321 E AndroidRuntime: \tat com.example.shop.Cart.total(Cart.java:42)',
  ],
  'an exception of Rails': [
    'F, [2026-11-21T14:02:11.123456 #12] FATAL -- : ActionView::Template::Error (undefined method):',
    '',
    "app/views/carts/show.html.erb:3:in `show'",
    "app/controllers/carts_controller.rb:12:in `show'",
  ],
};

test.each(Object.entries(events))('%s is one event', (_, lines) => {
  expect(headsOf(lines)).toEqual([lines[0]]);
});

test('an exception is an event of its own unless a logger reports it right above', () => {
  const lines = [
    ...['TypeError: a', 'TypeError: b', 'INFO ready', 'java.io.IOException: c', 'WARN slow', 'java.io.IOException: d'],
    ...['10.2.0.7 - - [21/Nov/2026:14:02:11 +0000] "GET / HTTP/1.1" 502 157', 'java.io.IOException: e'],
    ...['2026/11/21 14:02:11 [error] 12#12: *5 upstream timed out', 'java.io.IOException: f'],
    ...['{"level":"error","msg":"no"}', 'java.io.IOException: g', 'ERROR checkout failed', 'TypeError: h'],
  ];
  expect(headsOf(lines)).toEqual(lines);
});

test('a crash below an error is an event of its own', () => {
  const lines = [
    'ERROR x',
    'Exception in thread "main" java.lang.Error',
    'ERROR y',
    "thread 'main' panicked at a.rs:1:1:",
  ];
  expect(headsOf(lines)).toEqual(lines);
});

test('a function with arguments that are no numbers is no frame', () => {
  const lines = ['main.pay(order)', 'called shop.pay()', '(see main.pay())'];
  expect(headsOf(lines)).toEqual(lines);
});
