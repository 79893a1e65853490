import type {CodeBase} from './code-base.ts';

/** A portal written on a framework: bookings, articles, a handbook. */
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
