import type { Dial } from './types';

/** Every destination accepted for dialing, in order, and which of them came more than once. */
export class Journal {
	readonly dials: Dial[] = [];
	private readonly timesByPhone = new Map<string, number>();

	add(dial: Dial): void {
		this.dials.push(dial);
		this.timesByPhone.set(dial.phone, (this.timesByPhone.get(dial.phone) ?? 0) + 1);
	}

	doubleDialed(): string[] {
		return [...this.timesByPhone].filter(([, times]) => times > 1).map(([phone]) => phone);
	}

	clear(): void {
		this.dials.length = 0;
		this.timesByPhone.clear();
	}
}
