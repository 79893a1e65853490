import type {CodeBase} from './code-base.ts';

/** A portal built on a framework: bookings, articles, a handbook. */
export const portalCode: CodeBase = {
  applicationType: 'php',
  appserverTag: '8.4-fpm-4.74.1',
  appRoot: '/srv/app',
  webRoot: '/srv/app/public',
  complaints: [
    {message: 'Warning:  Undefined array key "locale"', file: 'src/View/Translator.php', lineNumber: 63},
    {
      message: 'Deprecated:  Creation of dynamic property App\\Calendar\\Slot::$label is deprecated',
      file: 'src/Calendar/Slot.php',
      lineNumber: 29,
    },
    {
      message: 'Warning:  foreach() argument must be of type array|object, null given',
      file: 'src/Menu/MenuTree.php',
      lineNumber: 110,
    },
  ],
  crashes: [
    {
      error:
        'Uncaught TypeError: App\\Calendar\\Slot::__construct(): Argument #2 ($end) must be of type DateTimeImmutable, null given, called in /srv/app/src/Calendar/SlotFinder.php on line 87 and defined',
      file: 'src/Calendar/Slot.php',
      lineNumber: 14,
      frames: [
        'src/Calendar/SlotFinder.php(87): App\\Calendar\\Slot->__construct(Object(DateTimeImmutable), NULL)',
        'src/Controller/CalendarController.php(52): App\\Calendar\\SlotFinder->find(Object(App\\Calendar\\Week))',
        'src/Kernel.php(131): App\\Controller\\CalendarController->week(Object(App\\Http\\Request))',
        'src/Kernel.php(77): App\\Kernel->handle(Object(App\\Http\\Request))',
        'public/index.php(22): App\\Kernel->run()',
      ],
    },
    {
      error: 'Uncaught RuntimeException: Lock "mail-queue" not acquired within 5 s',
      file: 'src/Queue/Lock.php',
      lineNumber: 48,
      frames: [
        "src/Queue/MailQueue.php(36): App\\Queue\\Lock->acquire('mail-queue', 5)",
        'src/Controller/ContactController.php(71): App\\Queue\\MailQueue->push(Object(App\\Mail\\Message))',
        'src/Kernel.php(131): App\\Controller\\ContactController->send(Object(App\\Http\\Request))',
        'public/index.php(22): App\\Kernel->run()',
      ],
    },
  ],
  exceptions: [
    [
      'RangeError: Invalid time value',
      '    at Date.toISOString (<anonymous>)',
      '    at toFeedEntry (/srv/feeds/lib/entry.js:29:24)',
      '    at buildFeed (/srv/feeds/lib/build.js:77:18)',
      '    at async Server.<anonymous> (/srv/feeds/server.js:52:5)',
    ],
    [
      'example.portal.search.IndexException: cannot refresh index "pages"',
      '\tat example.portal.search.Indexer.refresh(Indexer.java:118)',
      '\tat example.portal.search.IndexerJob.run(IndexerJob.java:44)',
      '\tat java.base/java.lang.Thread.run(Thread.java:1583)',
      'Caused by: java.net.ConnectException: Connection refused',
      '\tat java.base/sun.nio.ch.Net.pollConnect(Native Method)',
      '\t... 2 more',
    ],
  ],
  upstream: {
    name: 'search',
    host: '10.2.1.9:9200',
    path: '/pages/_search',
    timeoutMs: 3000,
    requests: ['GET /search?q=opening+hours', 'GET /search?q=map', 'GET /api/suggest?q=ma'],
    failure: {message: 'Search backend timed out', subject: 'user_id'},
    thrown: {
      error: 'App\\Search\\TimeoutException',
      file: 'src/Search/Client.php',
      lineNumber: 71,
      frames: [
        "src/Search/Finder.php(38): App\\Search\\Client->query('pages', Array)",
        'src/Controller/SearchController.php(44): App\\Search\\Finder->find(Object(App\\Search\\Terms))',
        'src/Kernel.php(131): App\\Controller\\SearchController->list(Object(App\\Http\\Request))',
        'public/index.php(22): App\\Kernel->run()',
      ],
    },
  },
  channel: 'portal',
  news: [
    {message: 'Signed in', subject: 'user_id'},
    {message: 'Slot booked', subject: 'slot_id'},
    {message: 'Page published', subject: 'page_id'},
    {message: 'Search index updated', subject: 'page_id'},
  ],
  failures: [
    {message: 'Search backend unreachable', subject: 'page_id'},
    {message: 'Mail queue is full', subject: 'user_id'},
  ],
};
