import { properties } from '../../../nodes/OutboundCalls/operations';
import { handlerOf } from '../../../nodes/OutboundCalls/execute';

it('every operation that the panel lists has a handler', () => {
	const listed = properties
		.filter(({ name }) => name === 'operation')
		.flatMap(({ options }) => options!.map((option) => `${'value' in option && option.value}`));
	expect(listed).toHaveLength(7);
	for (const operation of listed) expect(handlerOf(operation)).toBeInstanceOf(Function);
	expect(handlerOf('constructor')).toBeUndefined();
});
