import type {SitePaths} from '../world/plan/plans.ts';

export const shopPaths: SitePaths = {
  landings: ['/', '/shop/', '/product/{n}', '/product/{n}'],
  pages: [
    '/',
    '/',
    '/shop/',
    '/shop/page/2/',
    '/shop/page/3/',
    '/product/{n}',
    '/product/{n}',
    '/product/{n}',
    '/cart',
    '/checkout',
    '/account/orders',
  ],
  assets: [
    '/wp-content/themes/market/style.css?ver=4.2',
    '/wp-content/themes/market/js/app.min.js?ver=4.2',
    '/wp-content/uploads/products/{n}-thumb.webp',
    '/wp-content/uploads/products/{n}-large.webp',
    '/wp-content/plugins/till/js/basket.js?ver=2.9.1',
    '/favicon.ico',
  ],
  api: [
    '/wp-json/till/v1/basket',
    '/wp-json/till/v1/stock/{n}',
    '/wp-json/till/v1/shipping?country=DE',
    '/wp-admin/admin-ajax.php?action=till_mini_basket',
  ],
  posts: ['/cart', '/cart', '/checkout', '/wp-json/till/v1/basket/items', '/wp-cron.php?doing_wp_cron'],
};

export const magazinePaths: SitePaths = {
  landings: ['/', '/issue/{n}', '/article/{n}', '/article/{n}', '/feed.xml'],
  pages: [
    '/',
    '/issue/{n}',
    '/article/{n}',
    '/article/{n}',
    '/author/{n}',
    '/topics/travel',
    '/topics/food',
    '/feed.xml',
  ],
  assets: ['/build/app.css', '/build/app.js', '/media/{n}/cover.jpg', '/media/{n}/teaser.webp', '/fonts/text.woff2'],
  api: ['/api/related/{n}', '/api/comments?article={n}', '/api/newsletter/status'],
  posts: ['/api/comments', '/newsletter', '/login'],
};

export const bookingPaths: SitePaths = {
  landings: ['/', '/rooms', '/rooms/{n}'],
  pages: ['/', '/calendar', '/calendar/week/{n}', '/rooms/{n}', '/rooms', '/bookings', '/help'],
  assets: ['/build/app.css', '/build/app.js', '/img/rooms/{n}.jpg', '/fonts/text.woff2'],
  api: ['/api/slots?week={n}', '/api/rooms/{n}/free', '/api/me'],
  posts: ['/bookings', '/api/slots/{n}/hold', '/login'],
};
