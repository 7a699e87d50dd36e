//! Tools as models read them.

use ptc_history::tokens::tool_declarations::{Tool, as_json, as_typescript, tools};
use serde_json::{Map, json};

#[test]
fn k_14_tools_are_declared_as_openai_does() {
    let list = [json!({"type": "function", "function": {"name": "get_weather", "description": "The weather.\nNow.",
        "parameters": {"type": "object", "properties": {
            "city": {"type": "string", "description": "Where"},
            "unit": {"enum": ["C", "F"], "default": "C"},
            "days": {"type": "array", "items": {"type": "integer"}},
            "at": {"$ref": "#/$defs/place"}},
            "$defs": {"place": {"type": "object", "properties": {"x": {"type": ["number", "null"]}}, "required": ["x"]}},
            "required": ["city"]}}})];
    assert_eq!(
        as_typescript(&tools(&list)),
        "namespace functions {\n\n// The weather.\nNow.\ntype get_weather = (_: {\n// Where\ncity: string,\n\
         unit?: \"C\" | \"F\", // default: C\ndays?: number[],\nat?: {\nx: number | null,\n},\n}) => any;\n\n\
         } // namespace functions"
    );
}

#[test]
fn every_providers_form_is_one_tool() {
    let schema = json!({"type": "object", "properties": {"x": {"type": "string"}}});
    let forms = [
        json!({"type": "function", "function": {"name": "f", "description": "d", "parameters": schema}}),
        json!({"type": "function", "name": "f", "description": "d", "parameters": schema, "strict": true}),
        json!({"name": "f", "description": "d", "input_schema": schema}),
        json!({"functionDeclarations": [{"name": "f", "description": "d", "parametersJsonSchema": schema}]}),
        json!({"toolSpec": {"name": "f", "description": "d", "inputSchema": {"json": schema}}}),
    ];
    for form in &forms {
        let list = std::slice::from_ref(form);
        assert_eq!(tools(list), vec![Tool { name: "f", description: "d", parameters: Some(&schema) }], "{form}");
    }
    let odd = [json!({"type": "web_search"}), json!(null), json!(3)];
    assert_eq!(tools(&odd)[0], Tool { name: "web_search", description: "", parameters: None });
    assert!(as_json(&tools(&odd)).starts_with("{\"name\":\"web_search\""));
}

#[test]
fn k_31_schemas_that_refer_to_themselves_end() {
    let mut defs = Map::new();
    for i in 0..100 {
        let next = json!({"$ref": format!("#/$defs/d{}", (i + 1) % 100)});
        defs.insert(format!("d{i}"), json!({"type": "object", "properties": {"a": next, "b": next}}));
    }
    let tool = [json!({"name": "f", "parameters": {"properties": {"x": {"$ref": "#/$defs/d0"}}, "$defs": defs}})];
    assert!(as_typescript(&tools(&tool)).len() < 20_000);
}
