import { and, type Tri } from '../conditions/tri.ts';
import type { EffectiveSettings } from '../settings/effective-settings.ts';

/** The phase in an evaluation. */
export interface MaintenancePhase {
  readonly phase: 'maintenance';
  readonly ends: Tri;
  readonly active: Tri;
}

/** Answers with the maintenance page if it is active. */
export function maintenancePhase(settings: EffectiveSettings): MaintenancePhase {
  const active = and(settings.isOn('enabled'), settings.isOn('customPagesMaintenanceActive'));
  return { phase: 'maintenance', ends: active, active };
}
