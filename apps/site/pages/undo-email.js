import { redeemTokenAt } from './mailed-token.js';

redeemTokenAt('auth/undo-email');
