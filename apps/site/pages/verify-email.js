import { requestMailWith } from './form.js';
import { redeemTokenAt } from './mailed-token.js';

redeemTokenAt('auth/verify-email');
requestMailWith('resend-form', 'auth/resend-verification', 'sent');
