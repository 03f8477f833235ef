import { redeemTokenAt } from './mailed-token.js';

redeemTokenAt('auth/confirm-email');
