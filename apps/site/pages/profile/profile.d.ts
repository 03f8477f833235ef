/** Parts of the answers of the API. */
export interface Profile {
  email: string;
  firstName: string;
  lastName: string;
  hasPassword: boolean;
  twoFactorEnabled: boolean;
  twoFactorEnforced: boolean;
}

export interface Passkey {
  id: string;
  name: string;
  createdAt: string;
  lastUsedAt?: string;
  backedUp: boolean;
}

export interface LinkedIdentity {
  id: string;
  provider: string;
  name: string;
  email?: string;
  connectedAt: string;
  lastUsedAt?: string;
}

export interface Session {
  id: string;
  createdAt: string;
  lastUsedAt: string;
  userAgent?: string;
  current: boolean;
  twoFactor: boolean;
}

export interface ApiToken {
  id: string;
  name: string;
  prefix: string;
  readOnly: boolean;
  permissions: string[];
  zones?: string[];
  networks?: string[];
  expiresAt?: string;
  lastUsedAt?: string;
  lastUsedNetwork?: string;
  active: boolean;
  createdAt: string;
}

export interface Zone {
  id: string;
  name: string;
  tag: string;
  organization: string;
}

export interface AccountEvent {
  at: string;
  action: string;
  network?: string;
  userAgent?: string;
}
