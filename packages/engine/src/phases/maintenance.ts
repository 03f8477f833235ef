import { and, type Tri } from '../conditions/tri.ts';
import type { EffectiveSettings } from '../settings/effective-settings.ts';

/** What an answer says of this phase. */
export interface MaintenancePhase {
  readonly phase: 'maintenance';
  readonly ends: Tri;
  readonly active: Tri;
}

/** Answers with the maintenance page where it is active. */
export function maintenancePhase(settings: EffectiveSettings): MaintenancePhase {
  const active = and(settings.isOn('enabled'), settings.isOn('customPagesMaintenanceActive'));
  return { phase: 'maintenance', ends: active, active };
}
