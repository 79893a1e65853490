import type {CodeBase} from './plans.ts';

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

const plugin = 'web/wp-content/plugins/till';

/** A shop: a content system with its own checkout. */
export const shopCode: CodeBase = {
  applicationType: 'wordpress',
  appserverTag: '8.3-fpm-4.71.0',
  appRoot: '/var/www/html',
  webRoot: '/var/www/html/web',
  complaints: [
    {message: 'Warning:  Undefined array key "coupon"', file: `${plugin}/src/Basket/Discounts.php`, lineNumber: 88},
    {
      message: 'Warning:  Attempt to read property "rate" on null',
      file: `${plugin}/src/Tax/TaxTable.php`,
      lineNumber: 141,
    },
    {message: 'Warning:  Undefined variable $thumbnail', file: 'web/wp-content/themes/market/loop.php', lineNumber: 37},
    {
      message: 'Deprecated:  strlen(): Passing null to parameter #1 ($string) of type string is deprecated',
      file: `${plugin}/src/Search/Terms.php`,
      lineNumber: 52,
    },
    {
      message: 'Warning:  file_get_contents(): SSL operation failed with code 1',
      file: `${plugin}/src/Shipping/Rates.php`,
      lineNumber: 204,
    },
  ],
  crashes: [
    {
      error: 'Uncaught Error: Call to a member function total() on null',
      file: `${plugin}/src/Checkout/PlaceOrder.php`,
      lineNumber: 118,
      frames: [
        `${plugin}/src/Checkout/CheckoutController.php(64): Till\\Checkout\\PlaceOrder->place(Object(Till\\Basket\\Basket))`,
        `${plugin}/src/Http/Router.php(212): Till\\Checkout\\CheckoutController->submit(Object(Till\\Http\\Request))`,
        `${plugin}/src/Http/Router.php(97): Till\\Http\\Router->call(Array, Object(Till\\Http\\Request))`,
        'web/wp-includes/class-wp-hook.php(324): Till\\Http\\Router->dispatch(Object(WP))',
        "web/wp-includes/class-wp.php(418): do_action_ref_array('parse_request', Array)",
        'web/wp-includes/functions.php(1342): WP->main()',
        'web/wp-blog-header.php(16): wp()',
        "web/index.php(17): require('/var/www/html/w...')",
      ],
    },
    {
      error: 'Uncaught PDOException: SQLSTATE[HY000] [2002] Connection refused',
      file: `${plugin}/src/Stock/StockTable.php`,
      lineNumber: 33,
      frames: [
        `${plugin}/src/Stock/StockTable.php(33): PDO->__construct('mysql:host=db;d...', 'shop_master', Object(SensitiveParameterValue))`,
        `${plugin}/src/Stock/Reservation.php(71): Till\\Stock\\StockTable->connect()`,
        `${plugin}/src/Basket/BasketController.php(45): Till\\Stock\\Reservation->hold(4127, 2)`,
        `${plugin}/src/Http/Router.php(212): Till\\Basket\\BasketController->add(Object(Till\\Http\\Request))`,
        'web/wp-includes/class-wp-hook.php(324): Till\\Http\\Router->dispatch(Object(WP))',
        "web/index.php(17): require('/var/www/html/w...')",
      ],
    },
    {
      error: 'Allowed memory size of 268435456 bytes exhausted (tried to allocate 20480 bytes)',
      file: `${plugin}/src/Feed/ProductFeed.php`,
      lineNumber: 176,
      frames: [],
    },
  ],
  exceptions: [
    [
      "TypeError: Cannot read properties of undefined (reading 'amount')",
      '    at formatPrice (/srv/mailer/lib/price.js:41:23)',
      '    at Array.map (<anonymous>)',
      '    at renderReceipt (/srv/mailer/lib/receipt.js:118:31)',
      '    at async sendReceipt (/srv/mailer/lib/send.js:64:19)',
      '    at async Worker.run (/srv/mailer/node_modules/queue-runner/worker.js:203:7)',
      '    at process.processTicksAndRejections (node:internal/process/task_queues:105:5)',
    ],
    [
      'example.till.payments.AuthorisationException: no answer from the gateway, order left open',
      '\tat example.till.payments.Authorisation.confirm(Authorisation.java:87)',
      '\tat example.till.payments.PaymentService.authorise(PaymentService.java:142)',
      '\tat java.base/java.util.concurrent.ThreadPoolExecutor.runWorker(ThreadPoolExecutor.java:1144)',
      '\tat java.base/java.lang.Thread.run(Thread.java:1583)',
      'Caused by: java.net.SocketTimeoutException: Read timed out',
      '\tat java.base/sun.nio.ch.NioSocketImpl.timedRead(NioSocketImpl.java:278)',
      '\tat java.base/java.net.Socket$SocketInputStream.read(Socket.java:1099)',
      '\tat example.till.payments.GatewayClient.post(GatewayClient.java:56)',
      '\t... 3 more',
    ],
  ],
  upstream: {
    name: 'payments',
    host: '10.2.1.7:8080',
    path: '/v1/authorise',
    timeoutMs: 5000,
    requests: ['POST /checkout', 'POST /checkout', 'POST /wp-json/till/v1/payment'],
    failure: {message: 'Payment gateway timed out', subject: 'order_id'},
    thrown: {
      error: 'Till\\Http\\TimeoutException',
      file: `${plugin}/src/Http/Client.php`,
      lineNumber: 92,
      frames: [
        `${plugin}/src/Payment/Gateway.php(57): Till\\Http\\Client->post('/v1/authorise', Array)`,
        `${plugin}/src/Checkout/PlaceOrder.php(96): Till\\Payment\\Gateway->authorise(Object(Till\\Order\\Order))`,
        `${plugin}/src/Checkout/CheckoutController.php(64): Till\\Checkout\\PlaceOrder->place(Object(Till\\Basket\\Basket))`,
        "web/index.php(17): require('/var/www/html/w...')",
      ],
    },
  },
  channel: 'till',
  news: [
    {message: 'Order placed', subject: 'order_id'},
    {message: 'Payment authorised', subject: 'order_id'},
    {message: 'Basket restored', subject: 'basket_id'},
    {message: 'Stock reserved', subject: 'product_id'},
    {message: 'Confirmation mail queued', subject: 'order_id'},
  ],
  failures: [
    {message: 'Payment gateway timed out', subject: 'order_id'},
    {message: 'Stock reservation lost', subject: 'product_id'},
    {message: 'Session store unavailable', subject: 'basket_id'},
  ],
};
