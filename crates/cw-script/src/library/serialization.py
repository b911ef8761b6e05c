import json as _json

class JavaScriptSerializer(object):
    def DeserializeObject(self, text):
        return _json.loads(text) if text else None
    def Serialize(self, value):
        return _json.dumps(value)
    MaxJsonLength = 2097152
